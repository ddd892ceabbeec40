package dev.millrace.server.extender.osgi;

/**
 * Text of LDAP filters of the service registry (OSGi Core 8, section 3.2.7).
 */
public final class ServiceFilters
{
    private ServiceFilters()
    {
    }

    /** Returns a value with each character that has a meaning in a filter escaped. */
    public static String escape(final String value)
    {
        return value.replace("\\", "\\\\").replace("*", "\\*").replace("(", "\\(").replace(")", "\\)");
    }
}
