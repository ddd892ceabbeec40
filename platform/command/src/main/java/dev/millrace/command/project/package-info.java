/**
 * Applications before they are deployed: new projects from templates, bundles of projects without Java code, the
 * difference of two versions, and the API for builds with Maven.
 *
 * <pre>
 *  NewCommand ─► ProjectTemplate ─► ProjectName
 *  ArchetypeWriter (build) ─► ProjectTemplate
 *  PackageCommand ─► ApplicationPackager
 *  DiffCommand ─► DifferenceTable
 *  InstallApiCommand ─► LocalRepository
 * </pre>
 */
package dev.millrace.command.project;
