package dev.millrace.server.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code data-source} elements in the format of Oracle Event Processing. Not thread-safe. */
final class DataSourceReader
{
    private static final int MAX_CAPACITY = 1_000;
    private static final int MAX_TIMEOUT_S = 600;
    private static final int SECOND_MS = 1_000;

    private final ConfigurationProblems problems;
    private final Map<String, DataSourceSettings> read = new HashMap<>();
    private String name = "";
    private final List<String> jndiNames = new ArrayList<>();
    private final Map<String, String> properties = new HashMap<>();
    private String url = "";
    private String driver = "";
    private int initialCapacity;
    private int maxCapacity;
    private int timeoutMs;

    DataSourceReader(final ConfigurationProblems problems)
    {
        this.problems = problems;
    }

    /** Reads an element; {@code null} when it is invalid, which is reported. */
    DataSourceSettings read(final XmlElement element)
    {
        final int before = problems.size();
        name = "";
        url = "";
        driver = "";
        jndiNames.clear();
        properties.clear();
        initialCapacity = DataSourceSettings.DEFAULT_INITIAL_CAPACITY;
        maxCapacity = DataSourceSettings.DEFAULT_MAX_CAPACITY;
        timeoutMs = DataSourceSettings.DEFAULT_TIMEOUT_MS;
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text();
                case "connection-pool-params" -> child.children().forEach(this::pool);
                case "driver-params" -> child.children().forEach(this::driver);
                case "data-source-params" -> child.children().forEach(this::names);
                default -> problems.addUnknown(child);
            }
        }
        required(element, "name", name);
        required(element, "driver-params/url", url);
        required(element, "driver-params/driver-name", driver);
        if (initialCapacity > maxCapacity)
        {
            problems.add("SRV-0129", element, "initial-capacity is greater than max-capacity, data-source=" + name,
                "increase max-capacity");
        }
        if (problems.size() > before)
        {
            return null;
        }
        final DataSourceSettings settings = new DataSourceSettings(name, jndiNames, url, driver, properties,
            initialCapacity, maxCapacity, timeoutMs, element.position());
        if (read.putIfAbsent(name, settings) != null)
        {
            problems.add("SRV-0104", element, "two data-source elements have the same name, name=" + name,
                "rename one");
            return null;
        }
        return settings;
    }

    private void required(final XmlElement element, final String what, final String value)
    {
        if (value.isEmpty())
        {
            problems.add("SRV-0114", element, "a value of a data source is missing, missing=" + what + " data-source="
                + name,
                "add it; see data sources in adapters/jdbc/README.md");
        }
    }

    private void pool(final XmlElement element)
    {
        switch (element.name())
        {
            case "initial-capacity" -> initialCapacity = problems.number(element, 0, MAX_CAPACITY, initialCapacity);
            case "max-capacity" -> maxCapacity = problems.number(element, 1, MAX_CAPACITY, maxCapacity);
            case "connection-reserve-timeout-seconds" ->
                timeoutMs = problems.number(element, 1, MAX_TIMEOUT_S, timeoutMs / SECOND_MS) * SECOND_MS;
            case "capacity-increment", "test-connections-on-reserve", "test-table-name", "statement-cache-size",
                "statement-cache-type", "shrink-frequency-seconds", "login-delay-seconds" ->
                problems.addNotUsed(element);
            default -> problems.addUnknown(element);
        }
    }

    private void driver(final XmlElement element)
    {
        switch (element.name())
        {
            case "url" -> url = problems.resolved(element);
            case "driver-name" -> driver = element.text();
            case "properties" -> element.children().forEach(this::property);
            case "use-xa-data-source-interface" -> noTransactions(element);
            case "password-encrypted" -> properties.put("password", problems.decrypted(element));
            default -> problems.addUnknown(element);
        }
    }

    private void property(final XmlElement element)
    {
        final String key = element.child("name").map(XmlElement::text).orElse("");
        final XmlElement value = element.child("value").orElse(null);
        if (!element.name().equals("element") || key.isEmpty() || value == null)
        {
            problems.add("SRV-0114", element, "invalid driver property, data-source=" + name,
                "use <element><name>user</name><value>...</value></element>");
        }
        else
        {
            properties.put(key, problems.resolved(value));
        }
    }

    private void names(final XmlElement element)
    {
        switch (element.name())
        {
            case "jndi-names" -> element.children().forEach(child -> jndiNames.add(child.text()));
            case "global-transactions-protocol" ->
            {
                if (element.text().equals("TwoPhaseCommit") || element.text().equals("EmulateTwoPhaseCommit"))
                {
                    problems.add("SRV-0116", element, "transactions across several resources are not supported, " +
                        "global-transactions-protocol=" + element.text(), "use None or OnePhaseCommit");
                }
            }
            default -> problems.addUnknown(element);
        }
    }

    private void noTransactions(final XmlElement element)
    {
        if (element.text().equals("true"))
        {
            problems.add("SRV-0116", element, "transactions across several resources are not supported, " +
                element.name() + "=true", "use false or remove the element");
        }
    }
}
