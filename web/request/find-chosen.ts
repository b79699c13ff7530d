// Reads the row that was chosen in a form. It may have been deleted since the form was opened.
import { ApiFailure } from "./api-failure.ts";

/** The result of a read; undefined when there is no such row for the reader. Throws any other ApiFailure. */
export async function findChosen<Row>(read: Promise<Row>): Promise<Row | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiFailure && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}
