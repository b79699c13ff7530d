// Owns what a page's +data may return instead of data: a redirect, or that there is no such page. Values, so nothing is
// thrown and caught for them.

/** Redirects to another address, ours or another site's. */
export class Redirection {
  constructor(readonly location: string) {}
}

/** The page does not exist for this reader. */
export class NotFound {}

/** Shows the page with its data under another status than 200. */
export class WithStatus<Data> {
  constructor(
    readonly status: number,
    readonly data: Data,
  ) {}
}
