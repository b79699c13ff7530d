// Crops and scales a chosen picture to the small square in which agents' pictures are shown.

const SIDE = 256;

/**
 * The picture that the field now contains; null when it has none. A format that the browser cannot decode stays
 * unchanged, for the server to refuse.
 */
export async function shrinkPicture(field: HTMLInputElement): Promise<File | null> {
  const [file] = field.files ?? [];
  if (!file) return null;
  try {
    const picture = await createImageBitmap(file);
    const side = Math.min(picture.width, picture.height);
    const canvas = new OffscreenCanvas(SIDE, SIDE);
    const [x, y] = [(picture.width - side) / 2, (picture.height - side) / 2];
    canvas.getContext("2d")?.drawImage(picture, x, y, side, side, 0, 0, SIDE, SIDE);
    const small = new File([await canvas.convertToBlob({ type: "image/png" })], "avatar.png", {
      type: "image/png",
    });
    const files = new DataTransfer();
    files.items.add(small);
    field.files = files.files;
    return small;
  } catch {
    return file;
  }
}
