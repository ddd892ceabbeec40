package dev.millrace.cql.runtime.flow;

/** Which rows belong to partitions that this engine has to forget. Used by the engine's thread. */
@FunctionalInterface
public interface PartitionTest
{
    /**
     * Whether a row belongs to one of them.
     *
     * @param rows   store of the row
     * @param row    row id
     * @param column where the value lies by which rows are shared out
     * @return true when it is to be forgotten
     */
    boolean test(RowStore rows, int row, int column);
}
