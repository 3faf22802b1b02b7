// Sends requests to a Copse server through a client that go-swagger has generated from its description.
package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"time"

	"github.com/go-openapi/runtime"
	httptransport "github.com/go-openapi/runtime/client"
	"github.com/go-openapi/strfmt"

	"example.org/copse/client"
	"example.org/copse/client/issue"
	"example.org/copse/client/miscellaneous"
	"example.org/copse/client/organization"
	"example.org/copse/client/repository"
	"example.org/copse/client/user"
	"example.org/copse/models"
)

func must(name string, err error, isRight bool) {
	if err != nil || !isRight {
		fmt.Println("FAIL", name, err)
		os.Exit(1)
	}
	fmt.Println("ok", name)
}

func main() {
	transport := httptransport.New(os.Args[1], "/api/v1", []string{"http"})
	var auth runtime.ClientAuthInfoWriter = httptransport.BasicAuth(os.Args[2], os.Args[3])
	api := client.New(transport, strfmt.Default)
	owner, title, color := os.Args[2], "From Go", "#00aabb"
	name := fmt.Sprintf("go-%d", time.Now().UnixNano())

	version, err := api.Miscellaneous.GetVersion(miscellaneous.NewGetVersionParams(), auth)
	must("GetVersion", err, err == nil && version.Payload.Version != "")

	me, err := api.User.UserGetCurrent(user.NewUserGetCurrentParams(), auth)
	must("UserGetCurrent", err, err == nil && me.Payload.UserName == owner)

	made, err := api.Repository.CreateCurrentUserRepo(repository.NewCreateCurrentUserRepoParams().
		WithBody(&models.CreateRepoOption{Name: &name, AutoInit: true, DefaultBranch: "main"}), auth)
	must("CreateCurrentUserRepo", err, err == nil && made.Payload.Name == name)

	got, err := api.Repository.RepoGet(repository.NewRepoGetParams().WithOwner(owner).WithRepo(name), auth)
	must("RepoGet", err, err == nil && got.Payload.DefaultBranch == "main" && got.Payload.Owner.UserName == owner)

	content := base64.StdEncoding.EncodeToString([]byte("text"))
	file, err := api.Repository.RepoCreateFile(repository.NewRepoCreateFileParams().WithOwner(owner).WithRepo(name).
		WithFilepath("docs/a.txt").WithBody(&models.CreateFileOptions{ContentBase64: &content, Message: "Add a file"}), auth)
	must("RepoCreateFile", err, err == nil && file.Payload.Content.Path == "docs/a.txt")

	branches, err := api.Repository.RepoListBranches(repository.NewRepoListBranchesParams().WithOwner(owner).WithRepo(name), auth)
	must("RepoListBranches", err, err == nil && len(branches.Payload) == 1 && branches.Payload[0].Name == "main")

	label, err := api.Issue.IssueCreateLabel(issue.NewIssueCreateLabelParams().WithOwner(owner).WithRepo(name).
		WithBody(&models.CreateLabelOption{Name: &title, Color: &color}), auth)
	must("IssueCreateLabel", err, err == nil && label.Payload.Name == title)

	opened, err := api.Issue.IssueCreateIssue(issue.NewIssueCreateIssueParams().WithOwner(owner).WithRepo(name).
		WithBody(&models.CreateIssueOption{Title: &title, Labels: []int64{label.Payload.ID}}), auth)
	must("IssueCreateIssue", err, err == nil && opened.Payload.Title == title && len(opened.Payload.Labels) == 1)

	comment, err := api.Issue.IssueCreateComment(issue.NewIssueCreateCommentParams().WithOwner(owner).WithRepo(name).
		WithIndex(opened.Payload.Index).WithBody(&models.CreateIssueCommentOption{Body: &title}), auth)
	must("IssueCreateComment", err, err == nil && comment.Payload.Body == title)

	issues, err := api.Issue.IssueListIssues(issue.NewIssueListIssuesParams().WithOwner(owner).WithRepo(name), auth)
	must("IssueListIssues", err, err == nil && len(issues.Payload) == 1 && issues.Payload[0].Comments == 1)

	found, err := api.Repository.RepoSearch(repository.NewRepoSearchParams().WithQ(&name), auth)
	must("RepoSearch", err, err == nil && len(found.Payload.Data) == 1)

	org := "org-" + name
	group, err := api.Organization.OrgCreate(organization.NewOrgCreateParams().
		WithOrganization(&models.CreateOrgOption{UserName: &org}), auth)
	must("OrgCreate", err, err == nil && group.Payload.Name == org)

	_, err = api.Repository.RepoGet(repository.NewRepoGetParams().WithOwner(owner).WithRepo("nothing"), auth)
	_, isNotFound := err.(*repository.RepoGetNotFound)
	must("RepoGet of nothing", nil, isNotFound)
}
