// Moves the selected template to the project and deletes the others.
def project = new File(request.outputDirectory, request.artifactId)
def selected = new File(project, request.properties['template'])
selected.listFiles().each { file ->
    if (!file.renameTo(new File(project, file.name))) {
        throw new IOException("cannot be moved, file=${file}")
    }
}
['hello', 'adapter', 'pattern', 'cache'].each { new File(project, it).deleteDir() }
