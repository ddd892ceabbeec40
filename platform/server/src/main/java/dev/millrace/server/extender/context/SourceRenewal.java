package dev.millrace.server.extender.context;

import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Sources of a paused network that were closed because the next version needs their ports, and that are created again
 * when that version is rejected. Confined to the application's thread.
 */
public final class SourceRenewal
{
    private final GenericApplicationContext context;

    private final ApplicationCode code;

    /** Ids of the sources that were closed. */
    private final List<String> released = new ArrayList<>();

    private int renewals;

    public SourceRenewal(final GenericApplicationContext context, final ApplicationCode code)
    {
        this.context = context;
        this.code = code;
    }

    /** Closes sources of the network whose ports the next version needs. */
    public boolean release(final Network network, final String stageId, final Set<String> next)
    {
        final List<String> closed = network.sources().release(stageId, next);
        released.addAll(closed);
        return !closed.isEmpty();
    }

    /**
     * Creates the closed sources again.
     *
     * @param problems receives those of sources that could not be created
     * @return ids of the sources
     */
    public List<String> renew(final Network network, final List<Problem> problems)
    {
        final List<String> renewed = List.copyOf(released);
        for (final String stage : released)
        {
            try
            {
                code.run(() -> network.sources().renew(stage, anotherBean(stage)));
            }
            catch (final DeploymentException e)
            {
                problems.addAll(e.problems());
            }
        }
        released.clear();
        return renewed;
    }

    /** Creates a bean like the closed one, with a new name, because other beans may refer to the closed one. */
    private Object anotherBean(final String name)
    {
        final RootBeanDefinition definition =
            new RootBeanDefinition((RootBeanDefinition)context.getBeanFactory().getMergedBeanDefinition(name));
        final String another = name + "#" + ++renewals;
        context.registerBeanDefinition(another, definition);
        return context.getBean(another);
    }
}
