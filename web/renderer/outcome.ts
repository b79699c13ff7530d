// Owns what a page's +data may answer instead of data: that the browser goes elsewhere, or that there is no such page. Values, so that
// nothing has to be thrown and caught for them.

/** Leads to another address, of ours or of another site. */
export class Redirection {
  constructor(readonly location: string) {}
}

/** The page is not there for this reader. */
export class NotFound {}

/** The page is shown with its data, under another status than 200. */
export class WithStatus<Data> {
  constructor(
    readonly status: number,
    readonly data: Data,
  ) {}
}
