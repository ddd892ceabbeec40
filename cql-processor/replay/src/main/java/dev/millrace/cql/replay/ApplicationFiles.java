package dev.millrace.cql.replay;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** The files of an application. Reads only. Confined to one thread; the creator closes it. */
public interface ApplicationFiles extends AutoCloseable
{
    /** Directory of assembly files in a bundle. */
    String SPRING = "META-INF/spring/";
    /** Directory of component configuration files in a bundle. */
    String WLEVS = "META-INF/wlevs/";

    /**
     * Opens a bundle, or the directory of a project.
     *
     * @param classPath further jars and directories of classes
     * @throws DeploymentException if it is no application, or its classes are not compiled
     * @throws IOException         if it cannot be read
     */
    static ApplicationFiles open(final Path application, final List<Path> classPath)
        throws IOException, DeploymentException
    {
        final ApplicationFiles files = Files.isDirectory(application) ? new ProjectFiles(application, classPath) :
            new BundleFiles(application, classPath);
        final boolean isUncompiled = files instanceof ProjectFiles project && project.isUncompiled();
        if (!isUncompiled && !files.assembly().isEmpty())
        {
            return files;
        }
        files.close();
        throw isUncompiled ? new DeploymentException(ReplayErrorCode.NOT_COMPILED, SourcePosition.NONE,
            "the Java code of the project is not compiled, path=" + application, "compile it first: mvn compile") :
            new DeploymentException(ReplayErrorCode.NO_ASSEMBLY, SourcePosition.NONE,
                "no assembly file, path=" + application, "an application has XML files in " + SPRING);
    }

    /** The symbolic name of the application. */
    String name();

    /** The assembly files. */
    List<ConfigurationResource> assembly() throws IOException;

    /** The component configuration files. */
    List<ConfigurationResource> configuration() throws IOException;

    /** Values of placeholders. */
    Properties properties() throws IOException;

    /** The classes of the application, then those of this process. */
    ClassLoader classes() throws IOException;

    /** Whether other bundles provide classes of a package. */
    boolean imports(String packageName) throws IOException;

    @Override
    void close() throws IOException;
}
