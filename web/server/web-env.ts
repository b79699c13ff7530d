// What the web server's middleware leaves for its handlers.
export interface WebEnv {
  Variables: {
    /** Taken over from a proxy where it looks like an id, else made here; on every answer as X-Request-Id. */
    requestId: string;
    /** The page that was rendered, for the log. */
    route?: string;
    /** Address of the person behind the request. */
    clientAddress: string;
  };
}
