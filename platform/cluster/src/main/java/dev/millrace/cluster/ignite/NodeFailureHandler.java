package dev.millrace.cluster.ignite;

import org.apache.ignite.Ignite;
import org.apache.ignite.failure.AbstractFailureHandler;
import org.apache.ignite.failure.FailureContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles critical failures of an Ignite node: the member rejoins with a new node. Blocked threads are only reported.
 * Called by any thread of Ignite.
 */
final class NodeFailureHandler extends AbstractFailureHandler
{
    private static final Logger LOG = LoggerFactory.getLogger(NodeFailureHandler.class);

    private final Runnable failed;

    NodeFailureHandler(final Runnable failed)
    {
        this.failed = failed;
    }

    @Override
    protected boolean handle(final Ignite ignite, final FailureContext failure)
    {
        LOG.warn("CLU-0008 the node of the cluster cannot continue, reason={}; it is replaced by a new one",
            failure.type(), failure.error());
        failed.run();
        return true;
    }
}
