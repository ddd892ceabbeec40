package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import java.net.BindException;
import javax.net.ssl.SSLException;

/** Converts start failures of Ignite, whose causes are deeply nested, to messages for the author of config.xml. */
final class StartFailureExplainer
{
    private StartFailureExplainer()
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
                    " ports=" + settings.ports(), "stop the processes that use them, or configure other ports in "
                        + "<cluster>", failure);
            }
            if (cause instanceof SSLException || text.contains("SSL"))
            {
                return new ClusterException("CLU-0104", "the other members do not trust this member, or it" +
                    " does not trust them, reason=" + text, settings.tls() == null ? "all members need the same " +
                    "secret: copy config/cluster.secret of a running member, or start all as the same user" :
                    "all members need keys that the trust stores of the others accept, and the same "
                        + "config/cluster.secret",
                    failure);
            }
        }
        return new ClusterException("CLU-0105", "cannot join the cluster, domain=" + settings.domainName() +
            " server-name=" + settings.serverName() + " reason=" + failure.getMessage(),
            "see the cause in the log", failure);
    }

    private static ClusterException refused(final String reason, final Throwable failure)
    {
        if (reason.contains(JoinCheck.NO_SECRET))
        {
            return new ClusterException("CLU-0104", reason,
                "copy config/cluster.secret of a running member, with mode 600", failure);
        }
        final boolean otherDomain = reason.contains("another domain");
        return new ClusterException(otherDomain ? "CLU-0101" : "CLU-0102", reason, otherDomain ?
            "configure separate ports or addresses for this domain in <cluster>, or the name of that domain" :
            "configure a unique server-name per instance in <cluster>", failure);
    }
}
