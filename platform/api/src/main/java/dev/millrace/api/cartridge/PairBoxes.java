package dev.millrace.api.cartridge;

/**
 * Rectangles by which a join finds the rows that may satisfy a predicate {@code f(a, b)} or {@code f(a, b, distance)},
 * instead of calling it for every pair of rows. The join stores the rows of one side by the rectangles of their values
 * and searches with the values of the other side; it calls the predicate for all rows whose rectangles meet. Either
 * argument may be stored.
 *
 * <p>Stateless, thread-safe. Failure: none; a value without a rectangle is compared with all rows.
 */
public interface PairBoxes
{
    /**
     * Determines the rectangle of a stored value.
     *
     * @param value argument of the predicate, of any class
     * @param box   receives smallest x, smallest y, largest x, largest y
     * @return false if the value has no rectangle; its row is then compared with all others
     */
    boolean store(Object value, double[] box);

    /**
     * Determines a rectangle that meets those of all values for which the predicate may be true.
     *
     * @param value    other argument of the predicate, of any class
     * @param distance third argument of the predicate; {@code NaN} if the call has only two
     * @param box      receives smallest x, smallest y, largest x, largest y
     * @return false if there is no rectangle; the row is then compared with all others
     */
    boolean search(Object value, double distance, double[] box);
}
