package dev.millrace.command.recovery;

import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.JvmOptions;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.scaling.fleet.CdsArchive;
import dev.millrace.command.scaling.fleet.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The directory of a run with its database, and instances in it. For the main thread. */
final class RecoveryTestbed
{
    private final Home home;
    private final Path directory;
    private final Path jdk;
    private final SinkDatabase database;
    private final CleanupStack cleanup;

    private RecoveryTestbed(final Home home, final Path directory, final Path jdk, final SinkDatabase database,
        final CleanupStack cleanup)
    {
        this.home = home;
        this.directory = directory;
        this.jdk = jdk;
        this.database = database;
        this.cleanup = cleanup;
    }

    /**
     * Starts the database, and makes the archive of classes if the home has none: a killed instance makes none.
     *
     * @param directory of all files
     * @param jdk       Java of the instances, or {@code null}
     */
    static RecoveryTestbed start(final Home home, final Path directory, final List<SinkTable> tables, final Path jdk,
        final CleanupStack cleanup, final Consumer<String> state) throws IOException, InterruptedException
    {
        final SinkDatabase database =
            cleanup.open(() -> cleanup.add(SinkDatabase.start(home, directory.resolve("database"))));
        CdsArchive.prepare(DomainTemplate.create(home, directory.resolve("archive"), Ports.free(), 0), cleanup,
            new Progress(state, 0));
        database.connect(tables);
        return new RecoveryTestbed(home, directory, jdk, database, cleanup);
    }

    SinkDatabase database()
    {
        return database;
    }

    /**
     * Starts an instance, and deploys the driver of the database and an application.
     *
     * @param name       of its domain
     * @param jvmOptions in addition to those of the default domain
     * @param durability settings of durable processors, elements of {@code durability} in {@code config.xml}
     */
    KilledInstance deploy(final String name, final Ports ports, final Path application, final JvmOptions jvmOptions,
        final String durability) throws IOException, InterruptedException
    {
        final Domain domain = DomainTemplate.create(home, directory.resolve(name), ports, 0);
        jvmOptions.addTo(domain.directory());
        final Path config = domain.directory().resolve("config/config.xml");
        // Each start loads the classes of the application at once; the warm-up would only delay it.
        Files.writeString(config, Files.readString(config).replace("</n1:config>",
            "  <cql>\n    <warm-up>false</warm-up>\n  </cql>\n  <durability>" + durability + "</durability>\n" +
            database.dataSource() + "</n1:config>"));
        final KilledInstance instance = new KilledInstance(domain, jdk, cleanup);
        instance.begin();
        instance.awaitInstance();
        instance.client().install(SinkDatabase.driver(home));
        instance.deploy(application);
        return instance;
    }
}
