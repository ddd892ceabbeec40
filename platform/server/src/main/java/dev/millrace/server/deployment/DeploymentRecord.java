package dev.millrace.server.deployment;

import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import java.io.IOException;
import java.util.Collection;

/** The deployed applications, also for the next start of the instance: a change is written before it takes effect. */
final class DeploymentRecord
{
    private final DeploymentRegistry deployed;

    private final DeploymentsFile file;

    DeploymentRecord(final DeploymentRegistry deployed, final DeploymentsFile file)
    {
        this.deployed = deployed;
        this.file = file;
    }

    /** Adds an entry; when it cannot be written, nothing changes. */
    void put(final Entry entry) throws IOException
    {
        deployed.put(entry, this::write);
    }

    /** Removes an entry; when that cannot be written, nothing changes. */
    void remove(final String name) throws IOException
    {
        deployed.remove(name, this::write);
    }

    /** Writes the current deployments. */
    void write() throws IOException
    {
        write(deployed.entries());
    }

    private void write(final Collection<Entry> entries) throws IOException
    {
        file.write(entries.stream().map(Entry::deployment).toList());
    }
}
