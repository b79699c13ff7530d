// Owns the mapping of the form's audience to the API's.
const audiences = ["members", "guests", "everyone"] as const;

/** The chosen audience; the narrowest one for any other value. */
export function audienceOf(text: string): (typeof audiences)[number] {
  return audiences.find((one) => one === text) ?? "members";
}
