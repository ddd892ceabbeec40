package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;

/**
 * Columns of a batch whose values of the row at hand are fields of a generated class, {@code x} and the index with the
 * value and {@code z} and the index with whether it is null, as Java text.
 *
 * <p>Keeps no state.
 */
public final class BatchColumns
{
    private BatchColumns()
    {
    }

    /**
     * The fields of a column.
     *
     * @param type   its type
     * @param column index in the batch
     * @return declarations
     */
    public static String fields(final CqlType type, final int column)
    {
        return "  private " + LocalTypes.local(type) + " x" + column + ";\n  private boolean z" + column + ";\n";
    }

    /**
     * Gets the arrays of a column from {@code batch}.
     *
     * @param type   its type
     * @param column index in the batch
     * @return statements, once a batch
     */
    public static String bind(final CqlType type, final int column)
    {
        final String arrays = "    final " + array(type) + " b" + column + " = batch." + getter(type) + '(' + column +
            ");\n";
        return !LocalTypes.isPrimitive(type) ? arrays : arrays + "    final boolean n" + column +
            " = batch.hasNulls(" + column + ");\n    final long[] m" + column + " = batch.nullBits(" + column + ");\n";
    }

    /**
     * Gets the value of the row {@code row}.
     *
     * @param type   its type
     * @param column index in the batch
     * @return statements, once a row
     */
    public static String load(final CqlType type, final int column)
    {
        final String from = "b" + column;
        final String isNull = LocalTypes.isPrimitive(type) ?
            "n" + column + " && (m" + column + "[row >> 6] & 1L << row) != 0L" :
            type == CqlType.CHAR ? from + ".isNull(row)" : from + "[row] == null";
        return "        z" + column + " = " + isNull + ";\n        x" + column + " = " + element(type, from) + ";\n";
    }

    private static String array(final CqlType type)
    {
        return switch (type)
        {
            case INT -> "int[]";
            case BIGINT, TIMESTAMP, INTERVAL -> "long[]";
            case FLOAT -> "float[]";
            case DOUBLE -> "double[]";
            case BOOLEAN -> "byte[]";
            case CHAR -> "Texts";
            default -> "Object[]";
        };
    }

    private static String getter(final CqlType type)
    {
        return switch (type)
        {
            case INT -> "ints";
            case BIGINT, TIMESTAMP, INTERVAL -> "longs";
            case FLOAT -> "floats";
            case DOUBLE -> "doubles";
            case BOOLEAN -> "bits";
            case CHAR -> "texts";
            default -> "references";
        };
    }

    private static String element(final CqlType type, final String column)
    {
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, FLOAT, DOUBLE -> column + "[row]";
            case BOOLEAN -> column + "[row] != 0";
            case CHAR -> column + ".string(row)";
            default -> '(' + LocalTypes.local(type) + ") " + column + "[row]";
        };
    }
}
