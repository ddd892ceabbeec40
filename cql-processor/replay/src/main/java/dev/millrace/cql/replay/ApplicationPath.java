package dev.millrace.cql.replay;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens applications outside of a domain. Stateless. */
public final class ApplicationPath
{
    private ApplicationPath()
    {
    }

    /**
     * Opens a bundle, or the directory of a project.
     *
     * @param classPath further jars and directories of classes
     * @throws DeploymentException if it is no application, or its classes are not compiled
     * @throws IOException         if it cannot be read
     */
    public static ApplicationFiles open(final Path application, final List<Path> classPath)
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
                "no assembly file, path=" + application, "an application has XML files in " + ApplicationFiles.SPRING);
    }
}
