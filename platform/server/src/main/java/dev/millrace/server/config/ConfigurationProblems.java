package dev.millrace.server.config;

import dev.millrace.api.secret.SecretException;
import dev.millrace.api.secret.SecretKeys;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong in config.xml and what has no effect, gathered while it is read; and values that are checked. */
final class ConfigurationProblems
{
    /** What passwords of Oracle Event Processing begin with that its tools have encrypted. */
    private static final Pattern FOREIGN_CIPHER = Pattern.compile("\\{(Salted-)?(3DES|AES|AES256)}");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

    private final List<Problem> problems = new ArrayList<>();
    private final List<String> notUsed = new ArrayList<>();
    private final UnaryOperator<String> variables;
    private final Path keyFile;
    private SecretKeys keys;

    /**
     * Begins with none.
     *
     * @param variables gives the values of placeholders, {@code null} when there is none
     * @param keyFile   of encrypted texts; read when there is one
     */
    ConfigurationProblems(final UnaryOperator<String> variables, final Path keyFile)
    {
        this.variables = variables;
        this.keyFile = keyFile;
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

    /** The text decrypted, or with values for its placeholders; what has none is noted. */
    String resolved(final XmlElement element)
    {
        if (element.text().startsWith(SecretKeys.PREFIX) || FOREIGN_CIPHER.matcher(element.text()).lookingAt())
        {
            return decrypted(element);
        }
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

    /** What was encrypted; empty when it cannot be decrypted, which is noted. No message holds any part of it. */
    String decrypted(final XmlElement element)
    {
        if (!element.text().startsWith(SecretKeys.PREFIX))
        {
            add("SRV-0115", element, "not an encrypted text of this product, element=" + element.name(),
                "encrypt it again with millrace secret encrypt, and write its answer, which begins with "
                    + SecretKeys.PREFIX);
            return "";
        }
        try
        {
            keys = keys == null ? SecretKeys.read(keyFile) : keys;
            return keys.decrypt(element.text());
        }
        catch (final SecretException e)
        {
            switch (e.reason())
            {
                case OTHER_KEY -> add("SRV-0128", element, e.getMessage() + ", key file=" + keyFile,
                    "copy the key file of the domain that it comes from, or encrypt it with millrace secret encrypt");
                case DAMAGED -> add("SRV-0134", element, e.getMessage() + ", element=" + element.name(),
                    "copy the whole text, or encrypt it with millrace secret encrypt");
                case WIDE_MODE -> add("SRV-0130", element, e.getMessage(), "chmod 600 " + keyFile
                    + "; others may have read it: millrace secret rekey, and change the passwords");
                default -> add("SRV-0131", element, e.getMessage(),
                    "copy it with the domain directory, or encrypt the secrets again with millrace secret encrypt");
            }
        }
        catch (final IOException e)
        {
            add("SRV-0131", element, "key file cannot be read, file=" + keyFile + " reason=" + e,
                "the user that starts the instance owns it");
        }
        return "";
    }
}
