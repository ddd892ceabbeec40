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

/** Collects problems and unused elements of config.xml while it is read, and parses checked values. */
final class ConfigurationProblems
{
    /** Prefix of passwords encrypted by the tools of Oracle Event Processing. */
    private static final Pattern FOREIGN_CIPHER = Pattern.compile("\\{(Salted-)?(3DES|AES|AES256)}");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");

    private final List<Problem> problems = new ArrayList<>();
    private final List<String> notUsed = new ArrayList<>();
    private final UnaryOperator<String> variables;
    private final Path keyFile;
    private SecretKeys keys;

    /**
     * @param variables returns the value of a placeholder, or {@code null}
     * @param keyFile   key of encrypted values; read on first use
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

    /** Returns the known elements without effect, each with its line. */
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

    /** Returns an integer in a range, or the default when the value is invalid, which is reported. */
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
            "specify a whole number from " + min + " to " + max);
        return otherwise;
    }

    boolean truth(final XmlElement element, final boolean otherwise)
    {
        if (element.text().equals("true") || element.text().equals("false"))
        {
            return element.text().equals("true");
        }
        add("SRV-0120", element, "not true or false, " + element.name() + '=' + element.text(),
            "use true or false");
        return otherwise;
    }

    /** Returns the value, decrypted or with its placeholders replaced. A placeholder without a value is reported. */
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

    /**
     * Returns the decrypted value; empty when it cannot be decrypted, which is reported. No message contains any part
     * of it.
     */
    String decrypted(final XmlElement element)
    {
        if (!element.text().startsWith(SecretKeys.PREFIX))
        {
            add("SRV-0115", element, "not a value encrypted by this product, element=" + element.name(),
                "encrypt it again with millrace secret encrypt, and use its output, which begins with "
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
                    "copy the key file of the original domain, or encrypt it with millrace secret encrypt");
                case DAMAGED -> add("SRV-0134", element, e.getMessage() + ", element=" + element.name(),
                    "copy the whole value, or encrypt it with millrace secret encrypt");
                case WIDE_MODE -> add("SRV-0130", element, e.getMessage(), "chmod 600 " + keyFile
                    + "; others may have read it: millrace secret rekey, and change the passwords");
                default -> add("SRV-0131", element, e.getMessage(),
                    "copy it with the domain directory, or encrypt the secrets again with millrace secret encrypt");
            }
        }
        catch (final IOException e)
        {
            add("SRV-0131", element, "key file cannot be read, file=" + keyFile + " reason=" + e,
                "the user that starts the instance must own it");
        }
        return "";
    }
}
