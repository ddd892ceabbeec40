package dev.millrace.cql.functions.json;

import dev.millrace.cql.runtime.function.FunctionErrors;

/**
 * The JSON functions. The text is read up to the end of the value that is found: the rest is not checked. A text that
 * is malformed up to there rejects the row. Stateless.
 */
public final class JsonFunctions
{
    private static final String VALUE = "json_value";
    private static final String QUERY = "json_query";
    private static final String EXISTS = "json_exists";

    private JsonFunctions()
    {
    }

    /**
     * The string, number or boolean at a path.
     *
     * @return its text, without escapes; {@code null} if there is nothing, null, an object or an array
     */
    public static String value(final String text, final String path)
    {
        try
        {
            final int at = JsonPath.find(text, path);
            if (at < 0)
            {
                return null;
            }
            final char first = text.charAt(at);
            if (first == '"')
            {
                return FunctionErrors.text(VALUE, JsonScanner.string(text, at));
            }
            final int end = JsonScanner.skipValue(text, at);
            return first == '{' || first == '[' || first == 'n' ? null : text.substring(at, end);
        }
        catch (final JsonException malformed)
        {
            throw FunctionErrors.domain(VALUE, malformed.getMessage());
        }
    }

    /**
     * The object or array at a path.
     *
     * @return its text as written; {@code null} if there is nothing or another value
     */
    public static String query(final String text, final String path)
    {
        try
        {
            final int at = JsonPath.find(text, path);
            return at < 0 || text.charAt(at) != '{' && text.charAt(at) != '[' ? null :
                FunctionErrors.text(QUERY, text.substring(at, JsonScanner.skipValue(text, at)));
        }
        catch (final JsonException malformed)
        {
            throw FunctionErrors.domain(QUERY, malformed.getMessage());
        }
    }

    /** Whether a path leads to a value, which may be null. */
    public static boolean exists(final String text, final String path)
    {
        try
        {
            final int at = JsonPath.find(text, path);
            if (at >= 0)
            {
                JsonScanner.skipValue(text, at);
            }
            return at >= 0;
        }
        catch (final JsonException malformed)
        {
            throw FunctionErrors.domain(EXISTS, malformed.getMessage());
        }
    }
}
