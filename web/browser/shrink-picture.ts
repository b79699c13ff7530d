// Makes a chosen picture a square as small as agents' pictures are shown, so that nobody has to do it before.

const SIDE = 256;

/** The picture that the field now holds; null where it holds none. What no browser reads stays as it is, for the server to refuse. */
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
