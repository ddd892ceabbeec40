package dev.millrace.cluster.ignite;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections to the ports of Ignite from processes that are not members: other software, or members without a
 * required certificate. Ignite closes their sockets and logs it in its own terms; this class reports it to users, up to
 * a maximum number of times. Thread-safe.
 */
final class UnknownPeerLog
{
    private static final Logger LOG = LoggerFactory.getLogger(UnknownPeerLog.class);
    private static final int LOGGED = 10;
    private static final Pattern FROM = Pattern.compile("rmtAddr=(/?[^,\\] ]+)");

    private final String member;
    private final AtomicInteger turnedAway = new AtomicInteger();

    UnknownPeerLog(final String member)
    {
        this.member = member;
    }

    /**
     * Reports a rejected connection if that is the meaning of Ignite's message.
     *
     * @param category of Ignite's message
     * @param message  of Ignite
     * @param cause    null for none
     * @return false when the message means something else
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
            LOG.warn("CLU-0011 a connection to a port of the cluster was rejected, member={} port={} from={} " +
                "reason={}; only members may connect, with a certificate from the trust store if <security> requires " +
                "one", member, port, from.group(1), refusal == null ? "no handshake" : refusal.getMessage());
        }
        if (number == LOGGED)
        {
            LOG.warn("CLU-0011 a connection to a port of the cluster was rejected, member={} number={}; further "
                + "rejections "
                + "are logged at debug level only", member, number);
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
