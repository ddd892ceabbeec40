package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.CqlType;

/**
 * A column that a partition stores: of its key, or of rows before the current one.
 *
 * @param column of the input
 * @param depth  number of earlier rows stored; 0 in the key
 * @param index  index of its first word or object in a partition
 * @param flag   its first null flag; -1 when the flags are full
 * @param known  when the flags are full: its first word that is set when the value is not null, or, in the key,
 *               when it is
 */
public record StoredColumn(int column, CqlType type, int depth, int index, int flag, int known)
{
    /** Whether it is stored as an object. */
    public boolean isReference()
    {
        return depth == 0 ? isObject(type) : Register.isReference(type);
    }

    /** Whether values of a type are objects in a key. */
    static boolean isObject(final CqlType type)
    {
        return type != CqlType.CHAR && Register.isReference(type);
    }

    /** Whether it is stored as a string code; 0 is null. */
    public boolean isCode()
    {
        return depth == 0 && type == CqlType.CHAR;
    }
}
