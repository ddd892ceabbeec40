package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;

/**
 * Source text for columns of a batch whose values of the current row are fields of a generated class: {@code x} and the
 * index for the value, {@code z} and the index for whether it is null.
 *
 * <p>Stateless.
 */
public final class BatchColumns
{
    private BatchColumns()
    {
    }

    /**
     * Declares the fields of a column.
     *
     * @param column index in the batch
     */
    public static String fields(final CqlType type, final int column)
    {
        return "  private " + LocalTypes.local(type) + " x" + column + ";\n  private boolean z" + column + ";\n";
    }

    /**
     * Statements, executed once per batch, that read the arrays of a column from {@code batch}.
     *
     * @param column index in the batch
     */
    public static String bind(final CqlType type, final int column)
    {
        final String arrays = "    final " + array(type) + " b" + column + " = batch." + getter(type) + '(' + column +
            ");\n";
        return !LocalTypes.isPrimitive(type) ? arrays : arrays + "    final boolean n" + column +
            " = batch.hasNulls(" + column + ");\n    final long[] m" + column + " = batch.nullBits(" + column + ");\n";
    }

    /**
     * Statements, executed once per row, that read the value of the row {@code row}.
     *
     * @param column index in the batch
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
            case CHAR -> "CharColumn";
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
