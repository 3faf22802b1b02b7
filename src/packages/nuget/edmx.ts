/** A property of a package: its name, its type, and whether it may be null. */
type Property = readonly [name: string, type: string, nullable: boolean];

const PROPERTIES: readonly Property[] = [
  ['Id', 'String', false],
  ['Version', 'String', false],
  ['NormalizedVersion', 'String', true],
  ['Authors', 'String', true],
  ['Created', 'DateTime', false],
  ['Dependencies', 'String', false],
  ['Description', 'String', false],
  ['DownloadCount', 'Int64', false],
  ['LastUpdated', 'DateTime', false],
  ['Published', 'DateTime', false],
  ['PackageSize', 'Int64', false],
  ['ProjectUrl', 'String', true],
  ['ReleaseNotes', 'String', true],
  ['RequireLicenseAcceptance', 'Boolean', false],
  ['Title', 'String', true],
  ['VersionDownloadCount', 'Int64', false],
];

const ADO = 'http://schemas.microsoft.com/ado';
const EDM = `xmlns="${ADO}/2006/04/edm"`;

/** What the feed of version 2 has: https://www.odata.org/documentation/odata-version-2-0/overview/#ServiceMetadataDocument */
export function metadataDocument(): string {
  const properties = PROPERTIES.map(
    ([name, type, nullable]) => `<Property Name="${name}" Type="Edm.${type}" Nullable="${nullable}"></Property>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<edmx:Edmx xmlns:edmx="${ADO}/2007/06/edmx" Version="1.0">` +
    `<edmx:DataServices xmlns:m="${ADO}/2007/08/dataservices/metadata" m:DataServiceVersion="2.0" m:MaxDataServiceVersion="2.0">` +
    `<Schema ${EDM} Namespace="NuGetGallery.OData"><EntityType Name="V2FeedPackage" m:HasStream="true">` +
    `<Key><PropertyRef Name="Id"></PropertyRef><PropertyRef Name="Version"></PropertyRef></Key>${properties.join('')}</EntityType></Schema>` +
    `<Schema ${EDM} Namespace="NuGetGallery"><EntityContainer Name="V2FeedContext" m:IsDefaultEntityContainer="true">` +
    '<EntitySet Name="Packages" EntityType="NuGetGallery.OData.V2FeedPackage"></EntitySet>' +
    `${functionImport('Search', 'searchTerm')}${functionImport('FindPackagesById', 'id')}</EntityContainer></Schema>` +
    '</edmx:DataServices></edmx:Edmx>'
  );
}

function functionImport(name: string, parameter: string): string {
  return (
    `<FunctionImport Name="${name}" ReturnType="Collection(NuGetGallery.OData.V2FeedPackage)" EntitySet="Packages">` +
    `<Parameter Name="${parameter}" Type="Edm.String"></Parameter></FunctionImport>`
  );
}
