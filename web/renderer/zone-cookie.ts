/** Name of the cookie in which a browser says its reader's time zone. */
export const ZONE_COOKIE = "parley-zone";
