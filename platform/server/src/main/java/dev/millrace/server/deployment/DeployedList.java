package dev.millrace.server.deployment;

import dev.millrace.server.deployment.Deployed.Entry;
import java.io.IOException;
import java.util.Collection;

/** The deployed applications, also for the next start of the instance: a change is written before it takes effect. */
final class DeployedList
{
    private final Deployed deployed;

    private final DeploymentsFile file;

    DeployedList(final Deployed deployed, final DeploymentsFile file)
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
