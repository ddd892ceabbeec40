package dev.millrace.network.advertised;

/** Names of stages and event types of other applications: {@code application:stage}. */
public final class QualifiedName
{
    /** Separates the name of the application from the id of the stage, or the name of the type. */
    public static final char SEPARATOR = ':';

    private QualifiedName()
    {
    }

    /** Returns the application of a name. */
    public static String application(final String name)
    {
        return name.substring(0, name.indexOf(SEPARATOR));
    }

    /** Returns the name of a stage or type of an application. */
    public static String of(final String application, final String id)
    {
        return application + SEPARATOR + id;
    }
}
