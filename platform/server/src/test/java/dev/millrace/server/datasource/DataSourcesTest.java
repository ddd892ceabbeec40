package dev.millrace.server.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.fixture.TestInstance;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** Data sources of a real instance, with the driver in a separate bundle and the database on loopback. */
@Tag("slow")
@Timeout(180)
class DataSourcesTest
{
    private static final int ATTEMPTS = 60;

    @TempDir
    private Path directory;

    private static String element(final String name, final String driver, final String url)
    {
        return "<data-source><name>" + name + "</name><connection-pool-params><max-capacity>2</max-capacity>" +
            "<connection-reserve-timeout-seconds>1</connection-reserve-timeout-seconds></connection-pool-params>" +
            "<driver-params><url>" + url + "</url><driver-name>" + driver + "</driver-name><properties>" +
            "<element><name>user</name><value>sa</value></element></properties></driver-params>" +
            "<data-source-params><jndi-names><element>jdbc/" + name + "</element></jndi-names></data-source-params>" +
            "</data-source>";
    }

    private static DataSource find(final BundleContext context, final String name) throws Exception
    {
        final ServiceReference<?>[] found =
            context.getServiceReferences(DataSource.class.getName(), "(type=" + name + ")");
        assertThat(found).as(name).hasSize(1);
        return (DataSource)context.getService(found[0]);
    }

    /** The pool waits for 1 s only, which a busy machine may need for the handshake alone. */
    private static Connection connectWhenUp(final DataSource source) throws SQLException
    {
        SQLTransientConnectionException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        {
            try
            {
                return source.getConnection();
            }
            catch (final SQLTransientConnectionException ex)
            {
                last = ex;
            }
        }
        throw last;
    }

    @Test
    void shouldServeConnectionsByNameAndComeBackWithTheDatabase() throws Exception
    {
        final Server database = Server.createTcpServer(
            "-tcpPort", "0", "-baseDir", directory.toString(), "-ifNotExists").start();
        final int port = database.getPort();
        database.stop();
        final Path domain = TestInstance.newDomain(directory.resolve("domain"));
        final Path file = domain.resolve("config/config.xml");
        final String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/./test";
        Files.writeString(file, Files.readString(file).replace("</config>", element("good", "org.h2.Driver", url) +
            element("wrong", "no.such.Driver", url) + element("none", "java.lang.String", url) +
            element("other", "org.h2.Driver", "jdbc:other:x") + "</config>"));
        try (TestInstance instance = TestInstance.start(domain, "org.apache.felix"))
        {
            final BundleContext context = instance.framework().getBundleContext();
            final URI driver = org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            context.installBundle("reference:" + driver);
            final DataSource source = find(context, "good");
            assertThat(find(context, "jdbc/good")).isSameAs(source);

            assertThatThrownBy(source::getConnection).isInstanceOf(SQLException.class);
            final Server again = Server.createTcpServer("-tcpPort", Integer.toString(port), "-baseDir",
                directory.toString(), "-ifNotExists").start();
            try (Connection connection = connectWhenUp(source); Statement statement = connection.createStatement())
            {
                statement.execute("create table t(x int)");
                assertThat(statement.executeUpdate("insert into t values(1)")).isEqualTo(1);
            }
            finally
            {
                again.stop();
            }
            assertThatThrownBy(() -> find(context, "wrong").getConnection()).hasStackTraceContaining("SRV-0118")
                .hasStackTraceContaining("no bundle of the server contains the driver");
            assertThatThrownBy(() -> find(context, "none").getConnection())
                .hasStackTraceContaining("the class is not a JDBC driver");
            assertThatThrownBy(() -> find(context, "other").getConnection())
                .hasStackTraceContaining("does not accept this URL");
        }
    }
}
