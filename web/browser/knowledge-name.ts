// What a knowledge is called that begins with a file. Pure; for islands and the server alike.

/** "Travel policy 2026.pdf" names a knowledge "Travel policy 2026". */
export const knowledgeName = (fileName: string): string =>
  fileName.replace(/\.[^.]{1,8}$/, "").slice(0, 200) || fileName;
