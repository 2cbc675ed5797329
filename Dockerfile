# One image for all apps of the service. The first stage builds. The second has only the files that run: the bundled programs
# and threads, the files that they read, and the SQLite driver.
FROM node:20.20.2-bookworm AS build
WORKDIR /app
COPY . .
RUN NX_DAEMON=false npm ci --no-audit --no-fund && NX_DAEMON=false npm run build && node tools/bundle/dist/image.main.js /image

FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /image ./
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=40s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--v8-pool-size=1", "apps/api/dist/bundled/main.js"]
