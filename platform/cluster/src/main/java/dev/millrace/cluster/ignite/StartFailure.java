package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import java.net.BindException;
import javax.net.ssl.SSLException;

/** Makes of Ignite's reasons, which lie deep, a message for the one who has written config.xml. */
final class StartFailure
{
    private StartFailure()
    {
    }

    static ClusterException of(final ClusterSettings settings, final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            final String text = String.valueOf(cause.getMessage());
            if (text.contains(JoinCheck.REFUSED))
            {
                return refused(text.substring(text.indexOf(JoinCheck.REFUSED)), failure);
            }
            if (cause instanceof BindException || text.contains("Failed to bind"))
            {
                return new ClusterException("CLU-0103", "no port is free for the cluster, host=" + settings.host() +
                    " ports=" + settings.ports(), "stop what uses them, or give other ports in <cluster>", failure);
            }
            if (cause instanceof SSLException || text.contains("SSL"))
            {
                return new ClusterException("CLU-0104", "the others of the cluster do not trust this member, or it" +
                    " does not trust them, reason=" + text, settings.tls() == null ? "all members need the same " +
                    "secret: copy config/cluster.secret of one that runs, or start all as the same user" :
                    "all members need keys that the others trust in their stores, and the same config/cluster.secret",
                    failure);
            }
        }
        return new ClusterException("CLU-0105", "cannot take part in the cluster, domain=" + settings.domainName() +
            " server-name=" + settings.serverName() + " reason=" + failure.getMessage(),
            "see the cause in the log", failure);
    }

    private static ClusterException refused(final String reason, final Throwable failure)
    {
        if (reason.contains(JoinCheck.NO_SECRET))
        {
            return new ClusterException("CLU-0104", reason,
                "copy config/cluster.secret of a member that runs, with mode 600", failure);
        }
        final boolean otherDomain = reason.contains("another domain");
        return new ClusterException(otherDomain ? "CLU-0101" : "CLU-0102", reason, otherDomain ?
            "give this domain ports or addresses of its own in <cluster>, or the name of that domain" :
            "give each instance a server-name of its own in <cluster>", failure);
    }
}
