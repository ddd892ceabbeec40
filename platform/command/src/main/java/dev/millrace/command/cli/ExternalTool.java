package dev.millrace.command.cli;

import java.lang.reflect.InvocationTargetException;
import java.util.List;

/**
 * Tools of other modules on the class path, which parse their own options. A system property, set by the script that
 * knows the libraries, contains the class name; its method {@code public static int run(String...)} returns the exit
 * code.
 */
public final class ExternalTool
{
    private ExternalTool()
    {
    }

    /**
     * Runs a tool.
     *
     * @param property system property with the class name
     * @return its exit code
     * @throws CommandException when it is missing or fails unexpectedly
     */
    public static int run(final String property, final List<String> arguments)
    {
        final String mainClass = System.getProperty(property, "");
        try
        {
            return (int)Class.forName(mainClass).getMethod("run", String[].class)
                .invoke(null, (Object)arguments.toArray(new String[0]));
        }
        catch (final InvocationTargetException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0160", "the tool failed, class=" + mainClass +
                " reason=" + e.getCause(), "check its options with --help");
        }
        catch (final ReflectiveOperationException e)
        {
            throw missing(property, mainClass);
        }
    }

    /**
     * Creates an object of a class that has a public constructor without parameters.
     *
     * @param property system property with the class name
     * @throws CommandException when it is missing
     */
    public static <T> T create(final String property, final Class<T> type)
    {
        final String name = System.getProperty(property, "");
        try
        {
            return type.cast(Class.forName(name).getConstructor().newInstance());
        }
        catch (final ReflectiveOperationException e)
        {
            throw missing(property, name);
        }
    }

    private static CommandException missing(final String property, final String className)
    {
        return new CommandException(ExitCode.FAILED, "CMD-0161",
            "the tool is not on the class path, " + property + "=" + className,
            "use bin/millrace, which sets the property; the engine's tools are in lib/tuning of the home"
                + " directory");
    }
}
