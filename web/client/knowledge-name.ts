// The name of a knowledge base that starts with a file. Pure; for islands and the server.

/** "Travel policy 2026.pdf" names the knowledge base "Travel policy 2026". */
export const knowledgeName = (fileName: string): string =>
  fileName.replace(/\.[^.]{1,8}$/, "").slice(0, 200) || fileName;
