package dev.millrace.server.config;

import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong in config.xml and what has no effect, gathered while it is read; and values that are checked. */
final class ConfigurationProblems
{
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

    private final List<Problem> problems = new ArrayList<>();
    private final List<String> notUsed = new ArrayList<>();
    private final UnaryOperator<String> variables;

    /**
     * Begins with none.
     *
     * @param variables gives the values of placeholders, {@code null} when there is none
     */
    ConfigurationProblems(final UnaryOperator<String> variables)
    {
        this.variables = variables;
    }

    List<Problem> all()
    {
        return problems;
    }

    /** Elements that are known and have no effect, each with its line. */
    List<String> notUsed()
    {
        return notUsed;
    }

    int size()
    {
        return problems.size();
    }

    void add(final String code, final XmlElement element, final String text, final String hint)
    {
        problems.add(new Problem(code, element.position(), text, hint, ""));
    }

    void addUnknown(final XmlElement element)
    {
        add("SRV-0109", element, "unknown element, name=" + element.name(), "correct the name or remove it");
    }

    void addNotUsed(final XmlElement element)
    {
        notUsed.add(element.name() + " (line " + element.position().line() + ')');
    }

    /** A whole number, or what is given otherwise when it is none in the range, which is noted. */
    int number(final XmlElement element, final int min, final int max, final int otherwise)
    {
        if (element.text().matches("\\d{1,10}"))
        {
            final long value = Long.parseLong(element.text());
            if (value >= min && value <= max)
            {
                return (int)value;
            }
        }
        add("SRV-0108", element, "not a number in range, " + element.name() + '=' + element.text(),
            "give a whole number from " + min + " to " + max);
        return otherwise;
    }

    boolean truth(final XmlElement element, final boolean otherwise)
    {
        if (element.text().equals("true") || element.text().equals("false"))
        {
            return element.text().equals("true");
        }
        add("SRV-0120", element, "neither true nor false, " + element.name() + '=' + element.text(),
            "write true or false");
        return otherwise;
    }

    /** The text with values for its placeholders; those without one are noted. */
    String resolved(final XmlElement element)
    {
        final Matcher placeholder = PLACEHOLDER.matcher(element.text());
        final StringBuilder text = new StringBuilder();
        while (placeholder.find())
        {
            final String value = variables.apply(placeholder.group(1));
            if (value == null)
            {
                add("SRV-0117", element, "the placeholder has no value, name=" + placeholder.group(1),
                    "set the environment variable, or start the server with -D" + placeholder.group(1) + "=...");
            }
            placeholder.appendReplacement(text, Matcher.quoteReplacement(value == null ? "" : value));
        }
        return placeholder.appendTail(text).toString();
    }
}
