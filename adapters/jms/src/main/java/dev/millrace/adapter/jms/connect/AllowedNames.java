package dev.millrace.adapter.jms.connect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The classes and URL schemes by which applications may connect. JNDI implementations for LDAP, RMI and others can load
 * code that the other side chooses; a list that the operator of the server extends keeps them out. Immutable.
 */
public final class AllowedNames
{
    /** System property with further class names, {@code package.*} or {@code scheme:}, separated by commas. */
    public static final String PROPERTY = "millrace.jms.allowed";

    private static final List<String> DEFAULT = List.of(
        "org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory", "org.apache.activemq.artemis.jms.client.*",
        "org.apache.activemq.jndi.ActiveMQInitialContextFactory", "org.apache.activemq.ActiveMQConnectionFactory",
        "org.apache.activemq.ActiveMQSslConnectionFactory", "org.apache.qpid.jms.jndi.JmsInitialContextFactory",
        "org.apache.qpid.jms.JmsConnectionFactory", "com.ibm.mq.jakarta.jms.*", "com.rabbitmq.jms.admin.*",
        "com.solacesystems.jndi.SolJNDIInitialContextFactory", "com.tibco.tibjms.naming.TibjmsInitialContextFactory",
        "weblogic.jndi.WLInitialContextFactory", "amqp:", "amqps:", "failover:", "smf:", "smfs:", "ssl:", "t3:", "t3s:",
        "tcp:", "tibjmsnaming:", "vm:");
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(?=[/(])");
    private static final Pattern URL_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*", Pattern.DOTALL);

    private final List<String> names = new ArrayList<>(DEFAULT);

    /** @param further value of {@link #PROPERTY}; {@code null} for none */
    public AllowedNames(final String further)
    {
        if (further != null)
        {
            Arrays.stream(further.split(",")).map(String::strip).filter(name -> !name.isEmpty()).forEach(names::add);
        }
    }

    /** Whether a class of this name may be loaded. */
    public boolean hasClass(final String name)
    {
        final int lastDot = name.lastIndexOf('.');
        return names.contains(name) || lastDot > 0 && names.contains(name.substring(0, lastDot) + ".*");
    }

    /** The first scheme of a URL, or of the URLs that it contains, that is not permitted; {@code null} for none. */
    public String refusedScheme(final String url)
    {
        return SCHEME.matcher(url).results().map(MatchResult::group).map(each -> each.toLowerCase(Locale.ROOT))
            .filter(each -> !names.contains(each)).findFirst().orElse(null);
    }

    /** Whether a JNDI name is a URL, which JNDI would resolve by another implementation. */
    public static boolean isUrl(final String jndiName)
    {
        return URL_NAME.matcher(jndiName).matches();
    }

    @Override
    public String toString()
    {
        return String.join(", ", names);
    }
}
