// Owns which form fields hold a secret, by their names. Their values are neither sent back to the page nor stored. Pure.

/** True for `password`, `apiKey` and `credentials.accessToken`; false for `chunking.maxTokens`. */
export const isSecretName = (name: string): boolean => /(?:password|secret|token|key)$/i.test(name);
