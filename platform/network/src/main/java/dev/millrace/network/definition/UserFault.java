package dev.millrace.network.definition;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An exception of application code, described for its author: class and message of the deepest cause and of the
 * outermost cause that is no wrapper, and the topmost stack frame in the application. Immutable.
 */
public final class UserFault
{
    /** Number of stack frames in the log. */
    public static final int LOGGED_FRAMES = 20;

    private static final Pattern FOREIGN = Pattern.compile("(java|javax|jdk|sun|com\\.sun|org\\.springframework)\\..*");

    private static final String PLATFORM = "dev.millrace.";

    /** Adapters of the platform, in separate bundles. */
    private static final String ADAPTERS = "dev.millrace.adapter.";

    /** Some drivers include the stack trace of their server in the message. */
    private static final Pattern FRAMES = Pattern.compile("(?m)(^\\s+at .*|^\\s+\\.\\.\\. \\d+ more)\\R?");

    private static final Pattern CLASS = Pattern.compile("((?:\\w+[./])+)[\\w$]+");

    private final List<Throwable> chain = new ArrayList<>();

    private final ClassLoader application;

    /**
     * Analyzes a failure.
     *
     * @param failure     thrown
     * @param application loader of the application's classes, or {@code null} when it is not known; then all classes
     *                    outside the platform's packages count as the application's
     */
    public UserFault(final Throwable failure, final ClassLoader application)
    {
        this.application = application;
        for (Throwable cause = failure; cause != null && !chain.contains(cause); cause = cause.getCause())
        {
            chain.add(0, cause);
        }
    }

    /**
     * Returns the exception that was thrown first.
     *
     * @return the deepest cause
     */
    public Throwable root()
    {
        return chain.get(0);
    }

    /**
     * Returns the reason for messages to users.
     *
     * @return class, message and line
     */
    public String reason()
    {
        final Throwable said = said();
        return (said == root() ? "" : text(said) + " because ") + text(root()) +
            line().map(frame -> " at=" + frame).orElse("");
    }

    private static String text(final Throwable failure)
    {
        final String message = failure.getLocalizedMessage();
        return failure.getClass().getName() +
            (message == null ? "" : ": " + FRAMES.matcher(message).replaceAll("").strip());
    }

    /** The outermost cause that is no wrapper: the exception of user code is more specific than the deepest cause. */
    private Throwable said()
    {
        for (int i = chain.size() - 1; i > 0; i--)
        {
            final Throwable cause = chain.get(i);
            if (!(cause instanceof InvocationTargetException) && !(cause instanceof LinkageError)
                && !cause.getClass().getName().startsWith("org.springframework."))
            {
                return cause;
            }
        }
        return root();
    }

    /**
     * Returns the topmost stack frame in the application.
     *
     * @return empty when the trace has no such frame
     */
    public Optional<StackTraceElement> line()
    {
        return chain.stream().flatMap(cause -> Arrays.stream(cause.getStackTrace()))
            .filter(frame -> !FOREIGN.matcher(frame.getClassName()).matches()).filter(this::isOwn).findFirst();
    }

    private boolean isOwn(final StackTraceElement frame)
    {
        try
        {
            return application == null ? !frame.getClassName().startsWith(PLATFORM)
                : !frame.getClassName().startsWith(ADAPTERS)
                    && Class.forName(frame.getClassName(), false, application).getClassLoader() == application;
        }
        catch (final ClassNotFoundException | LinkageError e)
        {
            return false;
        }
    }

    /**
     * Returns the package of a class that the application needs and cannot load.
     *
     * @return empty when that is not the reason
     */
    public Optional<String> missingPackage()
    {
        for (final Throwable cause : chain)
        {
            final boolean isMissing = cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError
                && !String.valueOf(cause.getMessage()).startsWith("Could not initialize");
            final Matcher name = CLASS.matcher(String.valueOf(cause.getMessage()));
            if (isMissing && name.find())
            {
                final String found = name.group(1).replace('/', '.');
                return Optional.of(found.substring(0, found.length() - 1));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns what to do next.
     *
     * @param otherwise hint for all reasons except a missing package
     * @return hint
     */
    public String hint(final String otherwise)
    {
        return missingPackage().map(name -> "add " + name
            + " to Import-Package of the bundle, or pack the class into it").orElse(otherwise);
    }

    /**
     * Returns the stack trace for the log.
     *
     * @return the deepest cause and its first frames, one per line
     */
    public String stack()
    {
        final StackTraceElement[] frames = root().getStackTrace();
        final StringBuilder text = new StringBuilder(1 << 10).append(text(root()));
        for (int i = 0; i < Math.min(frames.length, LOGGED_FRAMES); i++)
        {
            text.append("\n\tat ").append(frames[i]);
        }
        if (frames.length > LOGGED_FRAMES)
        {
            text.append("\n\t... ").append(frames.length - LOGGED_FRAMES).append(" more");
        }
        return text.toString();
    }
}
