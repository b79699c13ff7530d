// Owns how bold words, struck words and links of Markdown are found in a text.

/** Bold words with their stars; the first group is the words. Does not match `2**3**4`, nor a file pattern with `**` in it. */
export const boldWords = /(?<![\p{L}\p{N}*])\*\*(?![\s*/])([^*\n]+?)(?<![\s*/])\*\*(?![\p{L}\p{N}*])/gu;

/** Words that are struck out, as the parsers write them too ("old~~300~~"); the first group is the words. Not the fence of code. */
export const struckWords = /(?<!~)~~(?![\s~])([^~\n]+?)(?<!\s)~~(?!~)/gu;

/** A link or an image with its address, which a document alone must not lead to; the first group is the words. `a[0](x)` is code. */
export const linkWords =
  /(?<![\p{L}\p{N}\])])!?\[([^[\]\n]{1,300})\]\(<?[^\s()<>]{1,2000}>?(?:[ \t]+"[^"\n]{0,300}")?\)/gu;

/** A text with the words alone of what is bold or a link. Struck words stay marked: a former price must not look like the price. */
export const withoutMarkup = (text: string) => text.replace(linkWords, "$1").replace(boldWords, "$1");
