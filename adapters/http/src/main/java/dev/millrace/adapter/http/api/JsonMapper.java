package dev.millrace.adapter.http.api;

/**
 * The mapper that applications of Oracle Event Processing pass to {@code rest-inbound} and {@code rest-outbound} as the
 * property {@code jsonMapper}. It has no settings: the adapters map JSON by the names of properties. Immutable.
 */
public final class JsonMapper
{
    private static final JsonMapper ONLY = new JsonMapper();

    private JsonMapper()
    {
    }

    /**
     * Returns the mapper, for {@code factory-method="create"} of a bean.
     *
     * @return always the same object
     */
    public static JsonMapper create()
    {
        return ONLY;
    }
}
