package dev.millrace.cluster.ignite;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who connect to the ports of Ignite and are no members: other software, or members without the certificate that
 * the cluster asks for. Ignite closes their sockets and says so in words of its own; this one says it to users, at
 * most so many times. Safe for all threads.
 */
final class Strangers
{
    private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);
    private static final int LOGGED = 10;
    private static final Pattern FROM = Pattern.compile("rmtAddr=(/?[^,\\] ]+)");

    private final String member;
    private final AtomicInteger turnedAway = new AtomicInteger();

    /**
     * Begins with none.
     *
     * @param member name of this member
     */
    Strangers(final String member)
    {
        this.member = member;
    }

    /**
     * Tells of one, when that is what Ignite means.
     *
     * @param category of Ignite's message
     * @param message  of Ignite
     * @param cause    null for none
     * @return false when it is something else
     */
    boolean tell(final String category, final String message, final Throwable cause)
    {
        final String port = category.contains("TcpDiscoverySpi") ? "discovery" :
            category.contains("TcpCommunicationSpi") ? "communication" : null;
        final SSLException refusal = refusal(cause);
        final boolean isStranger = refusal != null || message.contains("SSL") || message.contains("Unknown connection");
        final Matcher from = FROM.matcher(message);
        if (port == null || !isStranger || !from.find())
        {
            return false;
        }
        final int number = turnedAway.incrementAndGet();
        if (number <= LOGGED)
        {
            LOG.warn("CLU-0011 a connection to a port of the cluster was turned away, member={} port={} from={} " +
                "reason={}; only members may connect, with a certificate of the trust store where <security> asks " +
                "for one", member, port, from.group(1), refusal == null ? "no handshake" : refusal.getMessage());
        }
        if (number == LOGGED)
        {
            LOG.warn("CLU-0011 a connection to a port of the cluster was turned away, member={} number={}; more of "
                + "them are logged as debug only", member, number);
        }
        return true;
    }

    private static SSLException refusal(final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof SSLException found)
            {
                return found;
            }
        }
        return null;
    }
}
