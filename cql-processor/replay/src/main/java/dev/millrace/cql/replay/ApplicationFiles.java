package dev.millrace.cql.replay;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** The files of an application. Reads only. Confined to one thread; the creator closes it. */
public interface ApplicationFiles extends AutoCloseable
{
    /** Directory of assembly files in a bundle. */
    String SPRING = "META-INF/spring/";
    /** Directory of component configuration files in a bundle. */
    String WLEVS = "META-INF/wlevs/";

    /** The symbolic name of the application. */
    String name();

    /** The assembly files. */
    List<ConfigurationResource> assembly() throws IOException;

    /** The component configuration files. */
    List<ConfigurationResource> configuration() throws IOException;

    /**
     * The other files of the bundle, such as classes and libraries, with assembly files and without the manifest and
     * metadata of the build.
     *
     * @return contents by path
     */
    Map<String, byte[]> contents() throws IOException;

    /** Headers of the manifest without versions and metadata of the build; {@code null} before there is a bundle. */
    Map<String, String> headers() throws IOException;

    /** Values of placeholders. */
    Properties properties() throws IOException;

    /** The classes of the application, then those of this process. */
    ClassLoader classes() throws IOException;

    /**
     * The event types of other applications.
     *
     * @param applications their names
     * @return {@code null} where other applications are not known
     */
    DeclaredTypes typesOf(Set<String> applications) throws IOException, DeploymentException;

    /** Whether other bundles provide classes of a package. */
    boolean imports(String packageName) throws IOException;

    @Override
    void close() throws IOException;
}
