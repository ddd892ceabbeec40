package dev.millrace.cql.compiler.generator;

/**
 * Code of the value of an aggregate's argument in a row. Immutable.
 *
 * @param code   code of its value
 * @param isNull code for "it is null"; {@code null} when it never is, or is zero then
 * @param count  code of the number of values it counts as
 */
record ArgumentValue(String code, String isNull, String count)
{
    static ArgumentValue of(final String code, final String isNull)
    {
        return new ArgumentValue(code, isNull, isNull == null ? "1L" : '(' + isNull + " ? 0L : 1L)");
    }

    String orZero(final String zero)
    {
        return isNull == null ? code : '(' + isNull + " ? " + zero + " : " + code + ')';
    }
}
