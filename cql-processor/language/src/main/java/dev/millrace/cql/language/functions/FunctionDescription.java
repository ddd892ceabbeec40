package dev.millrace.cql.language.functions;

/**
 * What a user reads about a function. Immutable.
 *
 * @param group     heading under which it stands
 * @param name      name as documented
 * @param arguments types as written in the catalogue: {@code *} any type, {@code #} any that has an order,
 *                  {@code ...} after the last repeats it
 * @param result    type, or {@code *} or {@code #}: that of the arguments
 * @param text      one sentence
 * @param example   a call, or the rows of an aggregate; empty when there is none
 * @param expected  value of the example as a literal; empty when there is none
 * @param aggregate whether it is an aggregate
 * @param takesNulls whether it is called with nulls; otherwise a null argument makes its result null
 */
public record FunctionDescription(
    String group, String name, String arguments, String result, String text, String example, String expected,
    boolean aggregate, boolean takesNulls)
{
}
