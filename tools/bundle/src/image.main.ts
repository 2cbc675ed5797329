import { writeImage } from './image.js';

/* `node tools/bundle/dist/image.main.js FOLDER`, from the root of the repository after `npm run build`: see Dockerfile. */

const [, , target] = process.argv;
try {
  if (target === undefined) throw new Error('Name a new folder.');
  await writeImage(process.cwd(), target);
} catch (error) {
  process.stderr.write(`The image's folder could not be written. ${String(error)}\n`);
  process.exitCode = 1;
}
