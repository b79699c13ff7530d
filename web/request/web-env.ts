// The values that the web server's middleware sets for its handlers.
export interface WebEnv {
  Variables: {
    /** A proxy's request id when it is well-formed, else a new one. Every response carries it as X-Request-Id. */
    requestId: string;
    /** The rendered page, for the log. */
    route?: string;
    /** The client's address. */
    clientAddress: string;
  };
}
