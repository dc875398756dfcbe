"""Joins the frames of a folder to an animated WebP: motion.py FOLDER FILE. Needs Pillow (`pip install pillow`)."""

import pathlib
import sys

from PIL import Image

WIDTH = 960
# Milliseconds for each frame, as far apart as the frames are in simulated time; the last one stays.
PERIOD, LAST = 100, 1500
# As large as a page may load at once.
LARGEST = 2_000_000


def main():
    folder, file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    frames = []
    for path in sorted(folder.glob("*.png")):
        image = Image.open(path).convert("RGB")
        frames.append(image.resize((WIDTH, image.height * WIDTH // image.width), Image.Resampling.LANCZOS))
    times = [PERIOD] * (len(frames) - 1) + [LAST]
    frames[0].save(
        file, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=60, method=4, kmax=30
    )
    size = file.stat().st_size
    print(f"{file}: {len(frames)} frames, {size} bytes")
    if size > LARGEST:
        sys.exit(f"error: {file} has more than {LARGEST} bytes")


main()
