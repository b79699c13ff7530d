// Owns how a form's word for who may ask becomes the API's.
const audiences = ["members", "guests", "everyone"] as const;

/** What was chosen; the narrowest for anything else. */
export function audienceOf(text: string): (typeof audiences)[number] {
  return audiences.find((one) => one === text) ?? "members";
}
