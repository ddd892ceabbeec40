/**
 * Applications before they are deployed: new projects from templates, bundles of projects without Java code, and the
 * API for builds with Maven.
 *
 * <pre>
 *  NewCommand ─► ProjectTemplate ─► ProjectName
 *  PackageCommand ─► ApplicationPackager
 *  InstallApiCommand ─► LocalRepository
 * </pre>
 */
package dev.millrace.command.project;
