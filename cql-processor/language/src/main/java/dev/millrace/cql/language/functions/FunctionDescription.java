package dev.millrace.cql.language.functions;

/**
 * Documentation of a function. Immutable.
 *
 * @param group      heading of its section
 * @param name       name as documented
 * @param arguments  types as written in the catalog: {@code *} any type, {@code #} any ordered type, {@code ...} after
 *     the last one repeats it
 * @param result     type, or {@code *} or {@code #} for the type of the arguments
 * @param text       description, one sentence
 * @param example    a call, or the rows of an aggregate; may be empty
 * @param expected   value of the example as a literal; may be empty
 * @param aggregate  whether it is an aggregate
 * @param takesNulls whether it is called with nulls; otherwise a null argument makes its result null
 */
public record FunctionDescription(
    String group, String name, String arguments, String result, String text, String example, String expected,
    boolean aggregate, boolean takesNulls)
{
}
